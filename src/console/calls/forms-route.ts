import { createReadRoute, type ApiRoute } from '../api-route.ts';
import type { CallForm } from '../answers.ts';
import { formsOf } from './call-forms.ts';
import type { CallLog } from './call-log.ts';

/** `GET /console/api/forms?seq=&origin=`: how to make a call again; nothing of one that is forgotten. */
export function createFormsRoute(log: CallLog): ApiRoute {
  return createReadRoute('/console/api/forms', (query): readonly CallForm[] => {
    const call = log.find(Number(query.get('seq')));
    return call === undefined ? [] : formsOf(call, query.get('origin') ?? '');
  });
}
