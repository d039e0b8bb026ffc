/** Whether a line is meant as a slash command: `/help` is, a path such as `/var/log/app` is not. */
export const isCommand = (line: string): boolean => /^\/[\p{L}][\p{L}\d_-]*(?:\s|$)/u.test(line);
