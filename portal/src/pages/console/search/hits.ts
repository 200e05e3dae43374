/** Owns the results of the search over everything, and the page that each of them leads to. */
import { useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { SearchPlatformQuery } from '../../../generated/graphql.ts';

type FoundHit = SearchPlatformQuery['platformSearch']['hits'][number];

/** A result that leads to a page, or the lists of an IP address or a network. */
export type Hit =
  | FoundHit
  | {
      readonly kind: 'SESSIONS_FROM' | 'SIGN_INS_FROM';
      readonly id: string;
      readonly title: string;
      readonly detail: null;
    };

export const looksLikeNetwork = (text: string): boolean =>
  /^\d{1,3}(\.\d{1,3}){3}(\/\d{1,2})?$/.test(text) || /^(?=.*:)[\da-f:.]{2,45}(\/\d{1,3})?$/i.test(text);

/** @param onClose closes the search, before the page is opened */
export const useOpenHit = (onClose: () => void): ((hit: Hit) => void) => {
  const router = useRouter();
  return useCallback(
    (hit) => {
      onClose();
      void goTo(router, hit);
    },
    [router, onClose],
  );
};

const goTo = (router: ReturnType<typeof useRouter>, hit: Hit): Promise<void> => {
  const { id, title } = hit;
  switch (hit.kind) {
    case 'PERSON':
      return router.navigate({ to: '/admin/super/people/$userId', params: { userId: id }, search: {} });
    case 'ORGANIZATION':
      return router.navigate({
        to: '/admin/super/organizations/$organizationId',
        params: { organizationId: id },
        search: {},
      });
    case 'SESSION':
      return router.navigate({ to: '/admin/super/sessions', search: hit.userId === null ? {} : { user: hit.userId } });
    case 'CLIENT':
      return router.navigate({ to: '/admin/super/mcp', search: { section: 'clients', search: title } });
    case 'SESSIONS_FROM':
      return router.navigate({ to: '/admin/super/sessions', search: { network: id } });
    case 'SIGN_INS_FROM':
      return router.navigate({ to: '/admin/super/sign-ins', search: { network: id } });
    case 'MCP_CALL':
      return router.navigate({ to: '/admin/super/mcp', search: { section: 'audits', correlation: id } });
  }
};
