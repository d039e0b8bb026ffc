/** A choice that this browser remembers. Where storage is not allowed it lasts as long as the page. */
export function remembered<T extends string>(key: string, allowed: readonly T[]) {
  return {
    read(): T | undefined {
      try {
        const value = localStorage.getItem(key);
        return allowed.find((each) => each === value);
      } catch {
        return undefined;
      }
    },
    write(value: T): void {
      try {
        localStorage.setItem(key, value);
      } catch (thrown) {
        console.warn('this browser keeps nothing', thrown);
      }
    },
  };
}
