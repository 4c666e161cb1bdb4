import { escapeHtml } from '../../http/escape-html.ts';

/** A piece of HTML, which the template `html` does not escape. */
export class Html {
  readonly code: string;
  constructor(code: string) {
    this.code = code;
  }
}

type Value = string | number | Html | Html[];

/** Template tag for HTML that escapes every text. */
export function html(code: TemplateStringsArray, ...values: Value[]): Html {
  const written = values.map((value) => {
    if (Array.isArray(value)) return value.map((one) => one.code).join('');
    return value instanceof Html ? value.code : escapeHtml(String(value));
  });
  return new Html(String.raw({ raw: code }, ...written));
}
