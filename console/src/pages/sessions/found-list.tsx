import type { FoundPassage } from '#spec/api';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { Link } from 'react-router';
import { useText } from '../../domains/language/language.tsx';
import { sessionAddress } from '../../domains/sessions/session-address.ts';
import { sessionQueries } from '../../domains/sessions/sessions-api.ts';
import { Section } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { useListKeys } from '../../ui/use-list-keys.ts';
import { sessionsText } from './text.ts';

/** What was said about something, each passage with the words that it was found by. */
export function FoundList({ words }: { readonly words: string }) {
  const text = useText(sessionsText);
  const query = useQuery({ ...sessionQueries.search(words), placeholderData: (before) => before });
  const list = useRef<HTMLOListElement>(null);
  useListKeys(list);
  return (
    <Section title={text.found} count={query.data?.length}>
      <Loaded query={query}>
        {(found) =>
          found.length ? (
            <>
              <p className="muted" role="status">
                {text.hits(found.length)}
              </p>
              <ol ref={list} className="found">
                {found.map((hit) => (
                  <Passage key={hit.message} hit={hit} />
                ))}
              </ol>
            </>
          ) : (
            <Empty title={text.nothing}>{text.nothingWhy}</Empty>
          )
        }
      </Loaded>
    </Section>
  );
}

function Passage({ hit }: { readonly hit: FoundPassage }) {
  const text = useText(sessionsText);
  const address = `${sessionAddress(hit.session)}?view=transcript&message=${encodeURIComponent(hit.message)}`;
  return (
    <li>
      <div className="row spread">
        <Link to={address} className="wrap">
          {hit.title || text.untitled}
        </Link>
        <span className="muted">
          {text.role[hit.role]} · <Time at={hit.at} />
        </span>
      </div>
      <p className="wrap">
        {hit.pieces.map((piece, index) =>
          // Pieces have no name but their place.
          piece.hit ? <mark key={index}>{piece.text}</mark> : <span key={index}>{piece.text}</span>,
        )}
      </p>
    </li>
  );
}
