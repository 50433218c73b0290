import { describeLoginFault } from './describe-login-fault.ts';
import type { LoginAnswer, LoginService } from './login-service.ts';
import type { IssuedToken } from './tokens.ts';

/** The login service as HTTP serves it: a refused login comes with its reason as text. */
export function createLoginRoutes(logins: LoginService) {
  return {
    challenge: logins.challenge.bind(logins),
    readerOf: logins.readerOf.bind(logins),
    readersOf: logins.readersOf,
    login(answer: LoginAnswer): IssuedToken | { readonly refusal: string } {
      const outcome = logins.login(answer);
      return typeof outcome === 'string' ? { refusal: describeLoginFault(outcome) } : outcome;
    },
  };
}
