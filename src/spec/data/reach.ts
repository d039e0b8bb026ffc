import type { Text } from './text.ts';

/** What something said when it was asked whether it is there. That it is not, it says by failing. */
export type Probed =
  | { readonly state: 'reached'; readonly detail?: Text | string }
  /** It cannot be asked without an effect, a cost or somebody's help: nobody claims anything. */
  | { readonly state: 'not_probed'; readonly because: Text | string };

/** What is known of whether something can be reached. Times are ISO 8601, sentences are for a person. */
export type Reach =
  | { readonly state: 'not_set_up'; readonly because: Text | string; readonly fix?: Text | string }
  /** It is set up, and the first answer has not come yet. */
  | { readonly state: 'waiting' }
  | { readonly state: 'reached'; readonly at: string; readonly detail?: Text | string }
  | {
      readonly state: 'failing';
      readonly since: string;
      readonly at: string;
      readonly because: Text | string;
      readonly fix?: Text | string;
    }
  | { readonly state: 'not_probed'; readonly because: Text | string };
