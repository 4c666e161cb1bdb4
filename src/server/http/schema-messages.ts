import type { FastifySchemaValidationError } from 'fastify';
import type { FieldError } from './api-error.ts';

/** Translates validation errors of a schema into Spanish, one message for each field. */
export function fieldMessages(found: FastifySchemaValidationError[]): FieldError[] {
  const messages = new Map<string, string>();
  for (const { keyword, instancePath, params } of found) {
    const path = instancePath.slice(1).replaceAll('/', '.');
    if (keyword === 'required') {
      for (const name of params.requiredProperties as string[]) {
        messages.set(path === '' ? name : `${path}.${name}`, 'Este campo es obligatorio.');
      }
    } else if (keyword === 'maxLength') {
      messages.set(path, 'Es demasiado largo. Acórtalo.');
    } else if (!messages.has(path)) {
      messages.set(path, 'Este valor no es válido.');
    }
  }
  return [...messages].map(([field, message]) => ({ field, message }));
}
