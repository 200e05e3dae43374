/**
 * Whether this installation has personal tokens and service accounts; without them no page, link or text names them.
 */
import { useRouter } from '@tanstack/react-router';

export const useHasMachineTokens = (): boolean => useRouter().options.context.hasMachineTokens;
