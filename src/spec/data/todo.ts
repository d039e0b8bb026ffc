/** One step of a session's plan. */
export interface Todo {
  readonly text: string;
  readonly state: 'pending' | 'active' | 'done' | 'dropped';
}
