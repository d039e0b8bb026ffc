/**
 * The full-text index keeps no text of its own: its rows have the keys of what is found. It is given terms, so every
 * character but a separator belongs to a word.
 */
export const CREATE_SEARCH = `
  CREATE VIRTUAL TABLE search USING fts5(
    text, speaker, previous, next, date,
    content = '', contentless_delete = 1,
    tokenize = "ascii tokenchars '-_./:@'''"
  );
  INSERT INTO search (search, rank) VALUES ('automerge', 16), ('pgsz', 4000), ('hashsize', 16000000);
  CREATE VIRTUAL TABLE search_terms USING fts5vocab(search, row);
`;

export const DROP_SEARCH = `
  DROP TABLE IF EXISTS search_terms;
  DROP TABLE IF EXISTS search;
`;
