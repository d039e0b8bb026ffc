import { useId } from 'react';
import { dateOf, dayOf } from '../domains/format/day.ts';
import { useFormats, useText } from '../domains/language/language.tsx';
import { Button } from './button.tsx';
import { Frame, TextField } from './field.tsx';
import { Popover } from './popover.tsx';
import { uiText } from './text.ts';

/** Days as they stand in addresses (`2026-03-02`), both part of it. An empty one sets no bound. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

const EVER: DayRange = { from: '', to: '' };
const LAST_DAYS = [1, 7, 30] as const;

const lastDays = (count: number): DayRange => {
  const now = new Date();
  const first = new Date(now.getFullYear(), now.getMonth(), now.getDate() - count + 1);
  return { from: dayOf(first), to: dayOf(now) };
};

/** From a day to a day: usual stretches at hand, and any other by its days. */
export function DateRangeField(props: {
  readonly label: string;
  readonly value: DayRange;
  readonly onChange: (value: DayRange) => void;
}) {
  const { label, value, onChange } = props;
  const text = useText(uiText);
  const id = useId();
  return (
    <Frame id={id} label={label}>
      <Popover
        id={id}
        labelledBy={`${id}-label ${id}`}
        className="button opens"
        label={label}
        trigger={<RangeName range={value} />}
      >
        <div className="date-range">
          <div className="row">
            <Button small onClick={() => onChange(EVER)}>
              {text.anyTime}
            </Button>
            {LAST_DAYS.map((count) => (
              <Button key={count} small onClick={() => onChange(lastDays(count))}>
                {text.lastDays(count)}
              </Button>
            ))}
          </div>
          <TextField
            type="date"
            label={text.fromDay}
            value={value.from}
            max={value.to || undefined}
            onChange={(event) => onChange({ ...value, from: event.target.value })}
          />
          <TextField
            type="date"
            label={text.toDay}
            value={value.to}
            min={value.from || undefined}
            onChange={(event) => onChange({ ...value, to: event.target.value })}
          />
        </div>
      </Popover>
    </Frame>
  );
}

function RangeName({ range }: { readonly range: DayRange }) {
  const text = useText(uiText);
  const formats = useFormats();
  const from = dateOf(range.from);
  const to = dateOf(range.to);
  if (from && to) return <span className="ellipsis">{formats.days(from, to)}</span>;
  if (from) return <span className="ellipsis">{text.since(formats.days(from, from))}</span>;
  if (to) return <span className="ellipsis">{text.until(formats.days(to, to))}</span>;
  return <span className="ellipsis">{text.anyTime}</span>;
}
