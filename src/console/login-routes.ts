import { z } from 'zod';
import type { RequestedLogins } from '../service/mcp/logins/requested-logins.ts';
import { type ApiRoute, createPostRoute } from './api-route.ts';

/** Maximum body, in bytes: a challenge of 1,024 characters and the other members. */
const BODY_BYTES_MAX = 8 * 1024;

const asked = z.strictObject({ id: z.string().max(64) });

const answered = asked.extend({
  code: z.string().max(64),
  challenge: z.string().max(1_024),
  signature: z.string().max(128),
});

/** A warning that the page shows before the user logs in: a question and an instruction. */
const WARNING = [
  'Did you start this login yourself, just now?',
  'The answer goes to the program that asked, not to you. If someone else gave you this link or a code, decline.',
];

/** Creates the routes of requested logins. Ids are in bodies, to keep them out of URL logs. */
export const createLoginRoutes = (logins: RequestedLogins): readonly ApiRoute[] => [
  createPostRoute('/console/api/login', BODY_BYTES_MAX, {
    input: asked,
    run: async ({ id }) => ({ ...(await logins.show(id)), warning: WARNING }),
  }),
  createPostRoute('/console/api/login/answer', BODY_BYTES_MAX, {
    input: answered,
    run: async ({ id, code, ...answer }) => {
      await logins.answer(id, code, answer);
      return {};
    },
  }),
  createPostRoute('/console/api/login/decline', BODY_BYTES_MAX, {
    input: asked,
    run: async ({ id }) => {
      await logins.decline(id);
      return {};
    },
  }),
];
