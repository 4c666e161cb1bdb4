/**
 * Checks that React still finds its own texts after a browser has replaced texts of a page, as translators do: a text
 * that can change, or that stands beside something conditional, must be the only child of an element. Join two texts
 * into one, or give each a `span`. Exits with 1 otherwise.
 */
import { globSync, readFileSync } from 'node:fs';
import {
  type Argument,
  type Expression,
  type JSXChild,
  type JSXExpression,
  parseSync,
  Visitor,
} from 'oxc-parser';

/**
 * The result of rendering a child. An element is always there, `elements` only sometimes; a `written` text never
 * changes.
 */
type Kind = 'nothing' | 'element' | 'elements' | 'written' | 'changing';

const faults: string[] = [];

/** @param names kinds of the file's names */
function kindOf(node: JSXChild | JSXExpression | Expression, names: Map<string, Kind>): Kind {
  switch (node.type) {
    case 'JSXElement':
      return 'element';
    case 'JSXEmptyExpression':
      return 'nothing';
    case 'JSXFragment':
    case 'ArrowFunctionExpression':
      return 'elements';
    case 'JSXText':
      return node.value.trim() ? 'written' : 'nothing';
    case 'Literal':
      return typeof node.value === 'string' && node.value.trim() ? 'written' : 'nothing';
    case 'JSXExpressionContainer':
    case 'ParenthesizedExpression':
      return kindOf(node.expression, names);
    case 'LogicalExpression':
      return sometimes(kindOf(node.right, names));
    case 'ConditionalExpression':
      return sometimes(kindOf(node.consequent, names), kindOf(node.alternate, names));
    case 'Identifier':
      return names.get(node.name) ?? 'changing';
    case 'ChainExpression':
      return kindOf(node.expression, names);
    case 'CallExpression': {
      const { callee } = node;
      if (callee.type === 'Identifier') return names.get(callee.name) ?? 'changing';
      return /[mM]ap$/.test(propertyOf(callee)) ? kindOfEach(node.arguments[0], names) : 'changing';
    }
    // A member of a catalogue of texts.
    case 'MemberExpression': {
      const { object } = node;
      const isCatalogue = object.type === 'Identifier' && object.name.endsWith('exts');
      return isCatalogue && propertyOf(node) ? 'written' : 'changing';
    }
    default:
      return 'changing';
  }
}

/**
 * The kind that a function renders for each entry of a list. A function with more than an expression is taken to
 * render elements.
 */
function kindOfEach(each: Argument | undefined, names: Map<string, Kind>): Kind {
  if (each?.type !== 'ArrowFunctionExpression' || !each.expression) return 'elements';
  return sometimes(kindOf(each.body as Expression, names));
}

/** The name after the dot of `a.b`. */
const propertyOf = (node: Expression) =>
  node.type === 'MemberExpression' && node.property.type === 'Identifier' && !node.computed
    ? node.property.name
    : '';

const sometimes = (...kinds: Kind[]): Kind =>
  kinds.some((kind) => kind === 'written' || kind === 'changing') ? 'changing' : 'elements';

const files = globSync('src/client/**/*.tsx').map((file) => {
  const text = readFileSync(file, 'utf8');
  return { file, text, program: parseSync(file, text).program };
});

/** The names by which hooks return elements. */
const returned = new Map<string, Kind>();
for (const { program } of files) {
  new Visitor({
    Property({ key, value }) {
      const isElement = value.type === 'JSXElement' || value.type === 'LogicalExpression';
      if (!isElement || key.type !== 'Identifier') return;
      if (/^element/.test(kindOf(value, new Map()))) returned.set(key.name, 'elements');
    },
  }).visit(program);
}

for (const { file, text, program } of files) {
  const names = new Map(returned);
  for (const [, name = ''] of text.matchAll(
    /\b(\w{1,50})\??: (?:\([^()]{0,99}\) => )?ReactNode\b/g,
  )) {
    names.set(name, 'elements');
  }
  const check = (children: JSXChild[], isAlone: boolean) => {
    const kinds = children.map((child) => kindOf(child, names));
    if (isAlone && kinds.filter((kind) => kind !== 'nothing').length < 2) return;
    const canChange = !isAlone || kinds.some((kind) => kind === 'elements' || kind === 'changing');
    for (const [index, kind] of kinds.entries()) {
      if (kind !== 'changing' && !(kind === 'written' && canChange)) continue;
      const { start, end } = children[index] ?? program;
      const line = text.slice(0, start).split('\n').length;
      faults.push(`${file}:${line}: ${text.slice(start, end).trim()}`);
    }
  };
  new Visitor({
    VariableDeclaration({ kind, declarations }) {
      for (const { id, init } of declarations) {
        if (kind !== 'const' || id.type !== 'Identifier' || !init) continue;
        const held = kindOf(init, names);
        if (held !== 'changing') names.set(id.name, held === 'element' ? 'elements' : held);
      }
    },
  }).visit(program);
  new Visitor({
    JSXElement: ({ children }) => check(children, true),
    // The siblings of a fragment are not known here.
    JSXFragment: ({ children }) => check(children, false),
  }).visit(program);
}

for (const fault of faults) console.error(`${fault}\n  needs an element of its own`);
if (faults.length > 0) process.exitCode = 1;
