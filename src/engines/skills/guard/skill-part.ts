/** A file of a skill's folder as the guard gets it: its text or its bytes. A link is named and never read. */
export type SkillPart = { readonly path: string } & (
  | { readonly text: string }
  | { readonly bytes: Uint8Array }
  | { readonly link: true }
);
