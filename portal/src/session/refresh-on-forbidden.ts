/** Fetches the person again when a refusal says that what they may do has changed. */
import { isRefusal } from '@gatehouse/client';

/** Refreshes the person on a refusal that may mean that role, plan or organization have changed. */
export const refreshOnForbidden = async (
  session: { readonly refetch: () => Promise<unknown> },
  error: unknown,
): Promise<void> => {
  if (isRefusal(error, 'FORBIDDEN', 'MEMBERSHIP_REQUIRED', 'SECOND_FACTOR_REQUIRED')) await session.refetch();
};

/** Sends a request, and refreshes the person when it is forbidden, because their scopes may have changed. */
export const withRefreshOnForbidden = async <Result>(
  session: { readonly refetch: () => Promise<unknown> },
  request: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await request();
  } catch (error) {
    await refreshOnForbidden(session, error);
    throw error;
  }
};
