import { type Terminal, TuiMainScreen, truncateToWidth, visibleWidth } from '@earendil-works/pi-tui';

const BEGIN = '\u001b[?2026h';
const END = '\u001b[?2026l';
const ERASE_LINE = '\u001b[2K';
const ERASE_BELOW = '\u001b[J';

/**
 * Draws below what the terminal already shows, and leaves the scrollback alone: what has scrolled away is never
 * written again and never erased, neither by a resize nor by a redraw. Only the lines that can still be reached are
 * compared, so a frame costs the same after ten lines and after ten thousand.
 */
export class ScrollbackScreen extends TuiMainScreen {
  /** The last frame. Lines before `gone` have scrolled away. */
  private shown: string[] = [];
  private gone = 0;
  /** The line of the frame on which the cursor stands. */
  private at = 0;
  private columns = 0;
  private lines = 0;
  private whole = false;
  private begun = false;

  constructor(terminal: Terminal) {
    super(terminal, false);
  }

  /** Shows what changed even where it has scrolled away, by writing it again from there on. */
  redraw(): void {
    this.whole = true;
    this.requestRender();
  }

  /** Lines at the top of the frame that can be dropped from it: they have scrolled away. */
  get settled(): number {
    return this.gone;
  }

  /** Tells that the frame lost so many lines at the top. */
  dropped(count: number): void {
    this.shown = this.shown.slice(count);
    this.gone -= count;
    this.at -= count;
  }

  /** Pushes everything into the scrollback and begins at the top of an empty screen. */
  wipe(): void {
    const { rows } = this.terminal;
    this.terminal.write(`\u001b[${rows};1H${'\n'.repeat(rows)}\u001b[H`);
    this.resetRenderState();
    this.requestRender();
  }

  protected override resetRenderState(): void {
    [this.shown, this.gone, this.at, this.whole] = [[], 0, 0, false];
  }

  protected override beforeTerminalStop(): void {
    const down = this.shown.length - 1 - this.at;
    this.terminal.write(`${down > 0 ? `\u001b[${down}B` : ''}${this.shown.length ? '\r\n' : ''}`);
    this.resetRenderState();
  }

  protected override doRender(): void {
    if (this.stopped) return;
    const { columns, rows } = this.terminal;
    const resized = this.shown.length > 0 && (columns !== this.columns || rows !== this.lines);
    const frame = this.render(columns);
    if (!frame.length) frame.push('');
    const cursor = this.extractCursorPosition(frame, rows);
    const out = [BEGIN];
    if (resized) out.push(this.afterResize(frame, columns, rows));
    else out.push(this.difference(frame, columns, rows));
    [this.shown, this.columns, this.lines, this.whole] = [frame, columns, rows, false];
    if (cursor && cursor.row >= this.gone) {
      out.push(this.moveTo(cursor.row), `\u001b[${cursor.col + 1}G`);
    }
    this.terminal.write(out.join('') + END);
  }

  private afterResize(frame: string[], columns: number, rows: number): string {
    if (this.gone > 0 || frame.length >= rows) {
      return `\u001b[H${this.overwrite(frame, Math.max(0, frame.length - rows), rows)}`;
    }
    // Other things stand above on the screen. Terminals wrap long lines anew: count how far up ours begin now.
    const above = this.shown.slice(0, this.at);
    const wrapped = above.reduce(
      (sum, line) => sum + Math.max(1, Math.ceil(visibleWidth(line) / columns)),
      0,
    );
    const up = Math.min(wrapped, rows - 1);
    return `${up ? `\u001b[${up}A` : ''}\r${ERASE_BELOW}${this.write(frame, 0, rows)}`;
  }

  private difference(frame: string[], columns: number, rows: number): string {
    const { shown } = this;
    if (!shown.length) {
      // Once everything has been shown, a fresh beginning (after a wipe, after `fg`) needs no more than fits.
      const start = this.begun ? Math.max(0, frame.length - rows) : 0;
      this.begun = true;
      return `\r${this.write(frame, start, rows)}`;
    }
    const from = this.whole ? 0 : this.gone;
    const first = firstDifference(shown, frame, from);
    if (first === undefined) return '';
    if (frame.length <= this.gone || first < this.gone) {
      const full = Math.max(0, frame.length - rows);
      const start = this.whole ? Math.min(first, full) : full;
      return `${this.moveTo(this.gone)}\r${this.overwrite(frame, start, rows)}`;
    }
    const shrunk = frame.length < shown.length;
    const last = frame.length === shown.length ? lastDifference(shown, frame) : frame.length - 1;
    const out: string[] = [];
    if (first >= frame.length) out.push(this.moveTo(frame.length - 1));
    else {
      // A new line at the end is reached by going on from the one before: only that scrolls.
      const appends = first >= shown.length && first > 0;
      if (appends) out.push(this.moveTo(first - 1), '\r\n');
      else out.push(this.moveTo(first), '\r');
      out.push(this.lineRun(frame, first, last, columns));
      this.at = last;
    }
    if (shrunk) out.push(this.moveTo(frame.length - 1), '\u001b[1B\r', ERASE_BELOW, '\u001b[1A');
    this.gone = Math.max(this.gone, frame.length - rows);
    return out.join('');
  }

  /**
   * Everything from a line on, over the whole screen from its top. Erasing the screen first would make some terminals
   * keep a copy of it in their scrollback.
   */
  private overwrite(frame: string[], start: number, rows: number): string {
    const rest = frame.length - start < rows ? `\u001b[1B\r${ERASE_BELOW}\u001b[1A` : '';
    return this.write(frame, start, rows) + rest;
  }

  /** Everything from a line on, onto an empty rest of the screen. */
  private write(frame: string[], start: number, rows: number): string {
    const text = this.lineRun(frame, start, frame.length - 1, this.terminal.columns);
    this.at = frame.length - 1;
    this.gone = Math.max(start, frame.length - rows);
    return text;
  }

  private lineRun(frame: string[], first: number, last: number, columns: number): string {
    const lines = frame.slice(first, last + 1).map((line) => {
      return visibleWidth(line) > columns ? truncateToWidth(line, columns, '') : line;
    });
    return this.applyLineResets(lines)
      .map((line) => ERASE_LINE + line)
      .join('\r\n');
  }

  private moveTo(line: number): string {
    const down = line - this.at;
    this.at = line;
    if (down === 0) return '';
    return down > 0 ? `\u001b[${down}B` : `\u001b[${-down}A`;
  }
}

function firstDifference(a: readonly string[], b: readonly string[], from: number): number | undefined {
  const most = Math.max(a.length, b.length);
  for (let i = Math.min(from, b.length); i < most; i++) if (a[i] !== b[i]) return i;
  return undefined;
}

function lastDifference(a: readonly string[], b: readonly string[]): number {
  let i = b.length - 1;
  while (i > 0 && a[i] === b[i]) i--;
  return i;
}
