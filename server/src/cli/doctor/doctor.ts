/**
 * Owns: the checks of `gatehouse doctor`, one file each, with the remedy for every fault.
 * Promises: A check changes nothing and sends no mail; a check that fails does not stop the others.
 */
import { type Config, ConfigRefused, readConfig } from '../../config/config.ts';
import { configWarnings, type Environment } from '../../config/problems.ts';
import { loadApplication } from '../application.ts';
import { checkConfiguration, refusedConfiguration } from './check-configuration.ts';
import { checkDatabase } from './check-database.ts';
import { checkMail } from './check-mail.ts';
import { checkMcp } from './check-mcp.ts';
import { checkOrigins } from './check-origins.ts';
import { checkPortal } from './check-portal.ts';
import { checkCallbackRoute, checkProvider } from './check-provider.ts';
import { checkProxy } from './check-proxy.ts';
import { checkInterface, requestService } from './check-reachability.ts';
import { checkRedis } from './check-redis.ts';
import { type Finding, type Report, reportOf } from './findings.ts';

/** @param environment the variables of the service; with others the findings describe another instance */
export const examine = async (environment: Environment): Promise<Report> => {
  // The doctor needs no secret, so none is generated.
  const config = await orRefusal(() => readConfig(environment, () => ''));
  if (config instanceof ConfigRefused) return reportOf(refusedConfiguration(config));
  const application = await orRefusal(() => loadApplication(config));
  if (application instanceof ConfigRefused) return reportOf(refusedConfiguration(application));
  const asked = await Promise.all([
    checkDatabase(config),
    checkMail(config),
    checkRedis(config),
    checkProvider(config),
    asClientsSeeIt(config),
  ]);
  return reportOf([
    ...checkConfiguration(config, configWarnings(environment)),
    ...checkOrigins(config, application),
    ...asked.flat(),
  ]);
};

const orRefusal = async <T>(read: () => T | Promise<T>): Promise<T | ConfigRefused> => {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ConfigRefused) return error;
    throw error;
  }
};

const asClientsSeeIt = async (config: Config): Promise<Finding[]> => {
  const { findings, health, isService } = await requestService(config.baseUrl);
  const known = [...findings, ...checkProxy(config, health)];
  if (!isService) return known;
  const further = await Promise.all([
    checkInterface(config.baseUrl),
    checkPortal(config),
    checkCallbackRoute(config),
    checkMcp(config),
  ]);
  return [...known, ...further.flat()];
};
