/**
 * Checks that SQL contains only constants as literals. With another value, each call would be a new text: the database
 * would compile it anew, and SQLite's cache of statements would lose others for it. Exits with 1 otherwise.
 */
import { globSync, readFileSync } from 'node:fs';
import { type Expression, type Program, parseSync, Visitor } from 'oxc-parser';

/** Names of constants and imports of a module. */
function constantsOf({ body }: Program): Set<string> {
  const names = body.flatMap((statement) => {
    if (statement.type === 'ImportDeclaration') {
      return statement.specifiers.map(({ local }) => local.name);
    }
    const declaration =
      statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declaration?.type !== 'VariableDeclaration' || declaration.kind !== 'const') return [];
    return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? id.name : []));
  });
  return new Set(names);
}

/** Whether an expression is a literal, a constant of the module or an import, or a property of one by its name. */
function isConstant(node: Expression, constants: Set<string>): boolean {
  if (node.type === 'Literal') return true;
  if (node.type === 'Identifier') return constants.has(node.name);
  return node.type === 'MemberExpression' && !node.computed && isConstant(node.object, constants);
}

const faults: string[] = [];
for (const file of globSync('src/server/**/*.ts', { exclude: ['**/*.test.ts'] })) {
  const text = readFileSync(file, 'utf8');
  const { program } = parseSync(file, text);
  const constants = constantsOf(program);
  new Visitor({
    CallExpression({ callee, arguments: [value], start, end }) {
      const isLiteral = /^sql\s*\.\s*lit(eral)?$/.test(text.slice(callee.start, callee.end));
      if (!isLiteral || !value) return;
      if (value.type !== 'SpreadElement' && isConstant(value, constants)) return;
      const line = text.slice(0, start).split('\n').length;
      faults.push(`${file}:${line}: ${text.slice(start, end)}`);
    },
  }).visit(program);
}

for (const fault of faults) console.error(`${fault}\n  is no constant: make it a parameter`);
if (faults.length > 0) process.exitCode = 1;
