/** The code with the contents of its strings and its comments taken out, so that only names remain. */
export function stripStrings(code: string, comment: RegExp): string {
  const strings = /'''[\s\S]*?'''|"""[\s\S]*?"""|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g;
  return code.replace(strings, '""').replace(comment, ' ');
}
