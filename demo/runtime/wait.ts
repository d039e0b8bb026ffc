/** Resolves after `ms`. For waits inside a request, which end with the process. */
export const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Somewhere between both, evenly. */
export const between = (least: number, most: number): number => least + Math.random() * (most - least);
