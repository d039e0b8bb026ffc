import type { SkillRow } from '#spec/api';
import { Link } from 'react-router';
import { useFormats, useText } from '../../domains/language/language.tsx';
import { Outcomes, skillAddress, SkillMarks } from '../../domains/skills/marks.tsx';
import { skillWords } from '../../domains/skills/text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Time } from '../../ui/time.tsx';
import type { GridColumn } from '../../ui/virtual-table.tsx';
import { skillsText } from './text.ts';

export function useSkillColumns(): readonly GridColumn<SkillRow>[] {
  const text = useText(skillsText);
  const words = useText(skillWords);
  const formats = useFormats();
  return [
    {
      key: 'name',
      title: text.columns.name,
      width: 'minmax(220px, 4fr)',
      cell: (skill) => (
        <div>
          <div className="skill-name">
            <Link to={skillAddress(skill.name)} tabIndex={-1} className="ellipsis" title={skill.name}>
              {skill.name}
            </Link>
            {skill.fits ? (
              <Badge tone="info" title={skill.fits.join(', ')}>
                {text.wouldOffer}
              </Badge>
            ) : null}
            <SkillMarks skill={skill} />
          </div>
          <div className="ellipsis muted" title={skill.description}>
            {skill.description}
          </div>
        </div>
      ),
    },
    {
      key: 'form',
      title: text.columns.form,
      width: '80px',
      cell: ({ form }) => words.form[form],
    },
    {
      key: 'category',
      title: text.columns.category,
      width: 'minmax(80px, 1fr)',
      cell: ({ category }) => <div className="ellipsis">{category}</div>,
    },
    {
      key: 'origin',
      title: text.columns.origin,
      width: 'minmax(72px, 1fr)',
      cell: ({ trust }) => <div className="ellipsis">{words.trust[trust]}</div>,
    },
    { key: 'version', title: text.columns.version, width: '64px', cell: ({ version }) => version },
    {
      key: 'uses',
      title: text.columns.uses,
      width: '64px',
      number: true,
      cell: ({ uses }) => formats.number(uses),
    },
    {
      key: 'success',
      title: text.columns.success,
      width: '140px',
      cell: (skill) => <Outcomes {...skill} />,
    },
    {
      key: 'last',
      title: text.columns.last,
      width: '104px',
      number: true,
      cell: ({ lastUsed }) => (lastUsed === undefined ? '–' : <Time at={lastUsed} ago />),
    },
  ];
}
