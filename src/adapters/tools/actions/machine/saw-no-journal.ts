/** "No entries" of a journal that is not there, or may not be opened, says nothing about the machine. */
export const sawNoJournal = (complaint: string): boolean =>
  /No journal files were (?:found|opened)/i.test(complaint);
