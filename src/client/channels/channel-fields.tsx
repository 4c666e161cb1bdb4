import type { ChangeEvent } from 'react';
import { accountTexts } from '../account-texts.ts';
import { TextAreaField, TextField } from '../components/field.tsx';
import type { textFields } from './channel-draft.ts';
import { channelTexts } from './channel-texts.ts';
import { CoverField } from './cover-field.tsx';
import type { Cover } from './use-cover.ts';

export type ChannelTexts = Record<(typeof textFields)[number], string>;

interface ChannelFieldsProps {
  content: ChannelTexts;
  cover: Cover;
  /** Whether the name can no longer be changed. */
  isNameFixed?: boolean;
  errorOf: (field: keyof ChannelTexts | 'cover') => string | undefined;
  onChange: (part: Partial<ChannelTexts>) => void;
}

/** The fields of a new channel, and of one that is changed. */
export function ChannelFields({
  content,
  cover,
  isNameFixed = false,
  errorOf,
  onChange,
}: ChannelFieldsProps) {
  const field = (name: keyof ChannelTexts) => ({
    name,
    value: content[name],
    autoComplete: 'off',
    error: errorOf(name),
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      onChange({ [name]: currentTarget.value }),
  });
  return (
    <>
      <TextField
        label={accountTexts.channelTitle}
        hint={isNameFixed ? channelTexts.nameFixed : undefined}
        {...field('name')}
        dir="auto"
        required
        readOnly={isNameFixed}
      />
      <TextAreaField
        label={accountTexts.channelDescription}
        {...field('description')}
        rows={4}
        required
      />
      <CoverField cover={cover} error={errorOf('cover')} />
      <TextField
        label={accountTexts.coverAlt}
        hint={accountTexts.coverAltHint}
        {...field('coverAlt')}
        dir="auto"
      />
    </>
  );
}
