import type { ChangeEvent } from 'react';
import { limits } from '../../../shared/limits.ts';
import { WaitLine } from '../../images/upload/wait-line.tsx';
import type { textFields } from '../../storage/channel-draft.ts';
import { TextAreaField, TextField } from '../../ui/forms/field.tsx';
import { CoverField } from './cover-field.tsx';
import type { CoverChoice } from './use-cover.ts';

export type ChannelTexts = Record<(typeof textFields)[number], string>;

interface ChannelFieldsProps {
  content: ChannelTexts;
  nameLabel: string;
  cover: CoverChoice;
  /** Whether the name can no longer be changed. */
  isNameFixed?: boolean;
  /** Whether the form is being sent, when changes would no longer be included. */
  isSending: boolean;
  errorOf: (field: keyof ChannelTexts | 'cover') => string | undefined;
  onChange: (part: Partial<ChannelTexts>) => void;
}

export function ChannelFields({
  content,
  nameLabel,
  cover,
  isNameFixed = false,
  isSending,
  errorOf,
  onChange,
}: ChannelFieldsProps) {
  const field = (name: keyof ChannelTexts) => ({
    name,
    'data-draft': true,
    value: content[name],
    autoComplete: 'off',
    readOnly: isSending,
    error: errorOf(name),
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      onChange({ [name]: currentTarget.value }),
  });
  return (
    <>
      <TextField
        label={nameLabel}
        hint={
          isNameFixed
            ? `El nombre solo se podía cambiar durante las primeras ${limits.editHours} horas.`
            : undefined
        }
        {...field('name')}
        dir="auto"
        required
        readOnly={isNameFixed || isSending}
      />
      <TextAreaField label="Descripción" {...field('description')} rows={4} required />
      <CoverField
        cover={cover}
        isSending={isSending && !cover.gate.isWaiting}
        error={errorOf('cover')}
      />
      <TextField
        label="¿Qué se ve en la portada?"
        hint="Opcional, para quien no pueda verla."
        {...field('coverAlt')}
        dir="auto"
      />
      <WaitLine gate={cover.gate} />
    </>
  );
}
