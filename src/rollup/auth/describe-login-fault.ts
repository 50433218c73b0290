import { CHALLENGE_SECONDS } from './challenges.ts';
import type { LoginFault } from './login-service.ts';

const WORDS: Record<LoginFault, string> = {
  malformed: 'the challenge is not one of this service',
  'other-wallet': 'the challenge is for another wallet',
  expired: `the challenge has expired: it is good for ${CHALLENGE_SECONDS} seconds`,
  used: 'the challenge was used already, or a newer one of the wallet was: after six logins at once, a wallet can log in once a second',
  'wrong-signature': 'the signature is not the base58 ed25519 signature of the challenge by the wallet',
};

/** Why a login is refused, in words for the one who tried. */
export function describeLoginFault(fault: LoginFault): string {
  return WORDS[fault];
}
