// A thousand random queries instead of the two hundred of `npm test`, and a vocabulary of half a million invented words.
process.env.SEARCH_QUERIES = '1000';
process.env.SEARCH_INVENTED = '500000';
await import('../../src/server/search/query/find-docs.test.ts');
await import('../../src/server/search/query/corrections.test.ts');
