import { useRef } from 'react';
import type { Call } from '../../api/call.ts';
import { Failure } from '../../api/failures.ts';
import { request } from '../../api/request.ts';

/**
 * @returns a function like `request` that sends a new password. The server refuses an easily guessed one; sent a second
 * time, the same password is accepted.
 */
export function usePasswordRequest() {
  const warnedOf = useRef<string>(null);
  return async <Input extends { password?: string }, Output>(
    call: Call<Input & { warn: boolean }, Output>,
    input: Input,
  ): Promise<Output> => {
    try {
      return await request(call, { ...input, warn: input.password !== warnedOf.current });
    } catch (error) {
      if (error instanceof Failure && error.code === 'weak_password')
        warnedOf.current = input.password ?? null;
      throw error;
    }
  };
}
