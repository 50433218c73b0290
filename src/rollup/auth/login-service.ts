import { describeLoginFault } from './describe-login-fault.ts';
import type { LoginAnswer, LoginDesk } from './login-desk.ts';
import type { IssuedToken } from './tokens.ts';

/** A desk as it is served over HTTP: why it refuses a login is told in words. */
export function createLoginService(desk: LoginDesk) {
  return {
    challenge: desk.challenge.bind(desk),
    readerOf: desk.readerOf.bind(desk),
    readersOf: desk.readersOf,
    login(answer: LoginAnswer): IssuedToken | { readonly refusal: string } {
      const outcome = desk.login(answer);
      return typeof outcome === 'string' ? { refusal: describeLoginFault(outcome) } : outcome;
    },
  };
}
