import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { useText } from '../../domains/language/language.tsx';
import { useMay } from '../../domains/session/session.tsx';
import { skillQueries } from '../../domains/skills/skills-api.ts';
import { Page } from '../../ui/page.tsx';
import { type Tab, Tabs } from '../../ui/tabs.tsx';
import { Curator } from './curator.tsx';
import { Drafts } from './drafts.tsx';
import { Learned } from './learned.tsx';
import { Library } from './library.tsx';
import { skillsText } from './text.ts';
import './skills-page.css';

type Part = 'library' | 'learned' | 'curator' | 'drafts';

/** The library, and what the loop made of it. Which part is shown is part of the address. */
export default function SkillsPage() {
  const text = useText(skillsText);
  const isOwner = useMay('admin');
  const [params, setParams] = useSearchParams();
  const waiting = useQuery({ ...skillQueries.drafts(), enabled: isOwner }).data?.length ?? 0;
  const tabs: readonly Tab<Part>[] = [
    { value: 'library', label: text.library, render: () => <Library /> },
    { value: 'learned', label: text.learned, render: () => <Learned /> },
    { value: 'curator', label: text.curator, render: () => <Curator /> },
    ...(isOwner ? [{ value: 'drafts' as const, label: text.drafts(waiting), render: () => <Drafts /> }] : []),
  ];
  const part = tabs.find(({ value }) => value === params.get('part'))?.value ?? 'library';
  return (
    <Page title={text.title}>
      <Tabs<Part>
        label={text.parts}
        tabs={tabs}
        value={part}
        onChange={(value) => setParams(value === 'library' ? {} : { part: value }, { replace: true })}
      />
    </Page>
  );
}
