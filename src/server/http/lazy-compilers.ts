import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import { TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox';

// Each schema takes a few milliseconds to compile, and all of them together half of the start time.

const compileAtOnce = SerializerSelector();

/** Compiles the serializer of a response when one is first sent. */
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

/** Compiles the check of a part of requests when one first arrives. */
export const lazyValidators: typeof TypeBoxValidatorCompiler = (route) => {
  let validate: ReturnType<typeof TypeBoxValidatorCompiler> | undefined;
  return (value) => {
    validate ??= TypeBoxValidatorCompiler(route);
    return validate(value);
  };
};
