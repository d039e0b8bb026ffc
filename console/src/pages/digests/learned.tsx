import type { Digest } from '#spec/api';
import { Link } from 'react-router';
import { useText } from '../../domains/language/language.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Facts, Section } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { NumberLink } from './number-link.tsx';
import { digestsText } from './text.ts';

/** What incidents left behind, and what became of skills. */
export function Learned({ learned }: Pick<Digest, 'learned'>) {
  const text = useText(digestsText);
  const { lessons, memories, skills, workflows, knowledge, evalCases, edits } = learned;
  if (lessons.length + edits.length === 0)
    return (
      <Section title={text.learned}>
        <Empty title={text.noneLearned} />
      </Section>
    );
  return (
    <Section title={text.learned}>
      <Facts
        items={[
          [
            text.lessons,
            <NumberLink
              key="lessons"
              of="lessons"
              count={lessons.length}
              label={text.show(text.lessons, String(lessons.length))}
            />,
          ],
          [text.memories, memories],
          [text.knowledge, knowledge.length],
          [text.evalCases, evalCases.length],
          [text.skills, <Named key="skills" items={skills} />],
          [text.workflows, <Named key="workflows" items={workflows} />],
          [
            text.edits,
            edits.length === 0 ? (
              '–'
            ) : (
              <ul key="edits" className="digest-names">
                {edits.map(({ skill, action, at }) => (
                  <li key={`${skill} ${at} ${action}`}>
                    <code>{skill}</code> <Badge>{text.edit[action]}</Badge>
                  </li>
                ))}
              </ul>
            ),
          ],
        ]}
      />
    </Section>
  );
}

function Named({ items }: { readonly items: Digest['learned']['skills'] }) {
  if (items.length === 0) return '–';
  return (
    <ul className="digest-names">
      {items.map(({ name, incident }) => (
        <li key={`${name} ${incident}`}>
          <Link to={`/incidents/${encodeURIComponent(incident)}`}>
            <code>{name}</code>
          </Link>
        </li>
      ))}
    </ul>
  );
}
