import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../domains/api/api.ts';
import { Problem } from '../domains/api/problem.ts';
import { useText } from '../domains/language/language.tsx';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Preferences } from './preferences.tsx';
import { shellText } from './text.ts';

export function Login() {
  const text = useText(shellText);
  const client = useQueryClient();
  const [token, setToken] = useState('');
  const signIn = useMutation({
    mutationFn: (given: string) => api.signIn(given.trim()),
    onSuccess: () => client.resetQueries(),
  });
  const { mutate } = signIn;
  // A terminal prints an address with the token behind the #, which no server ever sees.
  useEffect(() => {
    const [, given] = /^#token=([\x21-\x7e]+)$/.exec(window.location.hash) ?? [];
    if (!given) return;
    window.history.replaceState(null, '', '/');
    mutate(given);
  }, [mutate]);
  useEffect(() => {
    document.title = `${text.signIn} · Hermes`;
  }, [text.signIn]);
  const { error } = signIn;
  const wrong = (error instanceof Problem && told(error.status, text)) || error?.message;
  return (
    <main className="login">
      <form
        className="section"
        onSubmit={(event) => {
          event.preventDefault();
          mutate(token);
        }}
      >
        <header>
          <h1>Hermes</h1>
        </header>
        <div className="section-body stack-16">
          <TextField
            label={text.token}
            hint={text.tokenHint}
            error={wrong}
            type="password"
            autoComplete="current-password"
            required
            autoFocus
            value={token}
            onChange={(event) => setToken(event.target.value)}
          />
          <Button type="submit" look="primary" busy={signIn.isPending} disabled={!token.trim()}>
            {text.signIn}
          </Button>
          <details className="login-where">
            <summary>{text.tokenWhere}</summary>
            <ul className="stack">
              {text.tokenPlaces.map((place) => (
                <li key={place}>
                  <Code text={place} />
                </li>
              ))}
            </ul>
          </details>
        </div>
      </form>
      <Preferences />
    </main>
  );
}

const told = (status: number, text: { readonly wrongToken: string; readonly noAnswer: string }) =>
  status === 401 ? text.wrongToken : status === 0 && text.noAnswer;

/** A sentence in which what has to be typed stands between backticks. */
const Code = ({ text }: { readonly text: string }) =>
  text.split('`').map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part));
