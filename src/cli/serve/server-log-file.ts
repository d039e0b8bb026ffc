import { join } from 'node:path';
import type { Host } from '#host';

export const serverLogFile = ({ home }: Pick<Host, 'home'>): string => join(home.dir('logs'), 'server.log');

/** What the process itself complains of: warnings, and why it ended. */
export const serverErrorFile = ({ home }: Pick<Host, 'home'>): string => join(home.dir('logs'), 'server.err');
