import { erasedName } from '../../shared/erased-name.ts';
import { limits } from '../../shared/limits.ts';
import type { FieldParser } from '../http/field-parser.ts';
import { nameKey } from './name-key.ts';

const erasedKey = nameKey(erasedName);

/** A person's name. Nobody can take the name that erased accounts are shown with. */
export function parseName(fields: FieldParser, raw: string): string {
  const name = fields.text('name', raw, limits.userNameChars);
  if (nameKey(name) === erasedKey) {
    fields.reject('name', 'Así se llaman las cuentas eliminadas. Elige otro nombre.');
  }
  return name;
}
