import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';

const compileAtOnce = SerializerSelector();

/**
 * Compiles the serializer of a response when one is first sent. Each takes a few milliseconds, and
 * all of them together would take a third of the start time.
 */
export const lazySerializers: typeof compileAtOnce = (schemas, options) => {
  const compile = compileAtOnce(schemas, options);
  return (route) => {
    let serialize: ReturnType<typeof compile> | undefined;
    return (data) => {
      serialize ??= compile(route);
      return serialize(data);
    };
  };
};
