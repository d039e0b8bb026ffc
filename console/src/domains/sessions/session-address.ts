export const sessionAddress = (id: string): string => `/sessions/${encodeURIComponent(id)}`;
