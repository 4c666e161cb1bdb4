import type { InputHTMLAttributes } from 'react';
import { limits } from '../../../shared/limits.ts';
import { type FieldProps, TextField } from '../../ui/forms/field.tsx';
import type { EventDraft } from '../composer/empty-event.ts';

/** Title, place and capacity, which all dates of a comment share, as they are typed. */
export type EventTexts = Pick<EventDraft, 'title' | 'location' | 'capacity'>;

const fields: Record<keyof EventTexts, FieldProps & InputHTMLAttributes<HTMLInputElement>> = {
  title: {
    label: 'Qué es',
    required: true,
    dir: 'auto',
    autoComplete: 'off',
    maxLength: limits.eventTitleChars,
    placeholder: 'Ensayo, reunión, excursión…',
  },
  location: {
    label: 'Lugar (opcional)',
    dir: 'auto',
    autoComplete: 'off',
    maxLength: limits.eventLocationChars,
  },
  capacity: {
    label: 'Cuántas personas caben (opcional)',
    type: 'number',
    inputMode: 'numeric',
    min: 1,
    max: limits.eventCapacity,
  },
};

interface EventTextFieldProps {
  name: keyof EventTexts;
  texts: EventTexts;
  onChange: (part: Partial<EventTexts>) => void;
}

/** A field of what dates share, in the form that writes them and in the one that changes them. */
export function EventTextField({ name, texts, onChange }: EventTextFieldProps) {
  return (
    <TextField
      {...fields[name]}
      name={name}
      value={texts[name]}
      onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
    />
  );
}
