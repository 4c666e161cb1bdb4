/** A part of a style sheet. */
interface Rule {
  text: string;
  /** The rules in a block such as `@media`, whose prelude is `text`. */
  inner?: Rule[];
  /** The rule applies only to elements with one of these classes; if empty, to any element. */
  classes: string[];
}

const className = /(?<=\.)[\w-]+/g;
const groups = /^@(?:media|supports|container|layer)\b/;

/** Pages of one kind use few different combinations of classes. */
const maxKnown = 200;

export interface UsedStyles {
  css: string;
  /** Content security policy of a page with these styles. */
  policy: string;
}

/**
 * Splits a style sheet by its braces. Quoted braces are not supported.
 * @param policyOf makes the content security policy of a page with these styles
 * @returns a function that returns the rules that can apply to a page's HTML
 */
export function selectUsedStyles(
  css: string,
  policyOf: (css: string) => string,
): (html: string) => UsedStyles {
  const rules = rulesOf(css);
  const known = new Map<string, UsedStyles>();
  return (html) => {
    const attributes = classAttributes(html);
    const key = attributes.join();
    let used = known.get(key);
    if (used === undefined) {
      const css = textOf(rules, new Set(attributes.flatMap((names) => names.split(' '))));
      used = { css, policy: policyOf(css) };
      if (known.size === maxKnown) known.clear();
      known.set(key, used);
    }
    return used;
  };
}

/** Distinct values of `class`, in order of first occurrence. */
function classAttributes(html: string): string[] {
  const attributes = new Set(html.match(/ class="[^"]*/g));
  return Array.from(attributes, (attribute) => attribute.slice(' class="'.length));
}

function rulesOf(css: string): Rule[] {
  const rules: Rule[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: brace, index } of css.matchAll(/[{}]/g)) {
    depth += brace === '{' ? 1 : -1;
    if (depth > 0 || brace === '{') continue;
    rules.push(ruleOf(css.slice(start, index + 1)));
    start = index + 1;
  }
  return rules;
}

function ruleOf(text: string): Rule {
  const bodyStart = text.indexOf('{') + 1;
  const prelude = text.slice(0, bodyStart);
  if (groups.test(prelude)) {
    return { text: prelude, inner: rulesOf(text.slice(bodyStart, -1)), classes: [] };
  }
  // A selector with `:not` may apply to elements without its classes.
  const isNegated = prelude.includes(':not(.') || prelude.includes(':not(:has(');
  const isNamed = !prelude.startsWith('@') && !isNegated;
  return { text, classes: isNamed ? (prelude.match(className) ?? []) : [] };
}

function textOf(rules: Rule[], used: Set<string>): string {
  let css = '';
  for (const { text, inner, classes } of rules) {
    if (inner) {
      const kept = textOf(inner, used);
      if (kept) css += `${text}${kept}}`;
    } else if (classes.length === 0 || classes.some((name) => used.has(name))) {
      css += text;
    }
  }
  return css;
}
