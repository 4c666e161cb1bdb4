// A thousand random queries instead of the two hundred of `npm test`.
process.env.SEARCH_QUERIES = '1000';
await import('../../src/server/search/query/find-docs.test.ts');
