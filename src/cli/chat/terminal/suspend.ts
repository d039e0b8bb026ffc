import type { ScrollbackScreen } from './scrollback-screen.ts';

/** Where stopping is not possible (nobody could continue it), the chat is back after this. */
const BACK_MS = 200;

/** Gives the terminal back to the shell until `fg`. */
export function suspend(screen: ScrollbackScreen): void {
  if (process.platform === 'win32') return;
  screen.stop();
  const resume = () => {
    clearTimeout(timer);
    process.removeListener('SIGCONT', resume);
    screen.start();
  };
  // Stopped processes have no timers: this one fires after the continuation, or when there was no stop.
  const timer = setTimeout(resume, BACK_MS);
  process.on('SIGCONT', resume);
  process.kill(process.pid, 'SIGTSTP');
}
