import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';

const compileAtOnce = SerializerSelector();

/**
 * Compiles the serializer of a response when one is sent for the first time: a few milliseconds each,
 * and all of them together would take a third of the start.
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
