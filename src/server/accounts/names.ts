import { visibleName } from '../../shared/clean-text.ts';
import { erasedName } from '../../shared/erased-name.ts';
import { limits } from '../../shared/limits.ts';
import type { FieldParser } from '../http/field-parser.ts';

/**
 * The form in which names are compared: without case, accents and invisible characters. Computed here, so that both
 * database engines agree.
 */
export function nameKey(name: string): string {
  const folded = name.normalize('NFKD').toLowerCase().toUpperCase().toLowerCase();
  return folded.normalize('NFKD').replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '');
}

/** Parses a person's name. Rejects the name shown for erased accounts. */
export function parseName(fields: FieldParser, raw: string): string {
  const name = fields.text('name', visibleName(raw), limits.userNameChars);
  if (nameKey(name) === nameKey(erasedName)) {
    fields.reject('name', 'Así se llaman las cuentas eliminadas. Elige otro nombre.');
  }
  return name;
}
