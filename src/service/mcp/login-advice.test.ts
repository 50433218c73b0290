import { describe, expect, it } from 'vitest';
import { adviseLogin } from './tools.ts';

describe('adviseLogin', () => {
  it('advises a model about logins for each transport (bug: it said to set a header)', () => {
    const http = adviseLogin('MISSING_AUTH_TOKEN', 'http', false).join(' ');
    expect(http).toContain('You cannot set headers from here');
    expect(http).toContain('Rollup-Authorization: Bearer <token>');
    const stdio = adviseLogin('AUTH_REFUSED', 'stdio', false).join(' ');
    expect(stdio).toContain('AUTH_TOKEN');
    expect(stdio).not.toContain('header');
    expect(adviseLogin('READER_NOT_ALLOWED', 'stdio', true)[0]).toContain('localnet.login');
  });

  it('has no advice for other errors', () => {
    expect(adviseLogin('MINT_NOT_FOUND', 'http', true)).toEqual([]);
  });
});
