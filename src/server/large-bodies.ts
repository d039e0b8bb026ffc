/** Bodies beyond the usual size that one person may be sending at once. Each is held whole while it arrives. */
const MOST_LARGE = 8;

export interface LargeBodies {
  /** Gives what to call when it has arrived; undefined where there are too many. */
  enter(who: string): (() => void) | undefined;
}

export function largeBodies(): LargeBodies {
  const arriving = new Map<string, number>();
  return {
    enter(who) {
      const count = arriving.get(who) ?? 0;
      if (count >= MOST_LARGE) return undefined;
      arriving.set(who, count + 1);
      return () => {
        const left = (arriving.get(who) ?? 1) - 1;
        if (left) arriving.set(who, left);
        else arriving.delete(who);
      };
    },
  };
}
