/** Whether MCP clients can connect to an organization here; without it no page and no link names them. */
import { useRouter } from '@tanstack/react-router';

export const useHasOrganizationMcp = (): boolean => useRouter().options.context.hasOrganizationMcp;
