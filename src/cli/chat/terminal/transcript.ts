import { type Component, Container } from '@earendil-works/pi-tui';
import type { ScrollbackScreen } from './scrollback-screen.ts';

/** Lines that are kept for a resize after they have scrolled away. */
const KEPT_LINES = 1_000;

/** What was said, oldest first. What has scrolled far away is left to the terminal's own scrollback. */
export class Transcript extends Container {
  private readonly screen: () => ScrollbackScreen;
  private readonly heights = new Map<Component, number>();

  constructor(screen: () => ScrollbackScreen) {
    super();
    this.screen = screen;
  }

  override render(width: number): string[] {
    const lines: string[] = [];
    for (const child of this.children) {
      const own = child.render(width);
      this.heights.set(child, own.length);
      for (const line of own) lines.push(line);
    }
    return lines;
  }

  /** Lets go of what has scrolled away and is beyond what is kept. Called between turns, never while one is drawn. */
  retire(): void {
    const screen = this.screen();
    for (let oldest = this.children[0]; oldest; oldest = this.children[0]) {
      const height = this.heights.get(oldest) ?? 0;
      if (this.children.length < 2 || screen.settled - height < KEPT_LINES) return;
      this.removeChild(oldest);
      this.heights.delete(oldest);
      screen.dropped(height);
    }
  }

  override clear(): void {
    super.clear();
    this.heights.clear();
  }
}
