import type { ComponentProps } from 'react';
import { searchFieldChars } from '../../../shared/routes.ts';
import fields from '../../ui/forms/field.module.css';

/** The text field of a search form. */
export function SearchField({
  className = fields.input,
  'aria-label': label = 'Buscar en comentarios y canales',
  ...input
}: ComponentProps<'input'>) {
  return (
    <input
      className={className}
      type="search"
      name="q"
      aria-label={label}
      maxLength={searchFieldChars}
      enterKeyHint="search"
      autoComplete="off"
      autoCapitalize="none"
      dir="auto"
      {...input}
    />
  );
}
