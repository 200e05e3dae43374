interface LabelledDevice {
  readonly clientName: string | null;
  readonly issueUserAgent: string | null;
}

/** An MCP client has a registered name; other devices are named by their user agent. */
import { useCallback } from 'react';
import { useTranslations } from 'use-intl';

export type DeviceKind = 'computer' | 'phone' | 'program' | 'unknown';

interface ParsedUserAgent {
  readonly kind: DeviceKind;
  readonly program: string | undefined;
  readonly system: string | undefined;
}

// Order matters: most browsers also claim to be those listed after them.
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPiOS)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\bHeadlessChrome\//, 'Headless Chrome'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
];

const systems: readonly (readonly [RegExp, string, DeviceKind])[] = [
  [/\biPhone\b/, 'iPhone', 'phone'],
  [/\biPad\b/, 'iPad', 'phone'],
  [/\bAndroid\b/, 'Android', 'phone'],
  [/\bCrOS\b/, 'ChromeOS', 'computer'],
  [/\bWindows\b/, 'Windows', 'computer'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS', 'computer'],
  [/\bLinux\b|\bX11\b/, 'Linux', 'computer'],
];

export const parseUserAgent = (userAgent: string | null): ParsedUserAgent => {
  if (userAgent === null || userAgent.trim() === '') return { kind: 'unknown', program: undefined, system: undefined };
  const [, system, kind] = systems.find(([pattern]) => pattern.test(userAgent)) ?? [];
  const [, browser] = browsers.find(([pattern]) => pattern.test(userAgent)) ?? [];
  if (browser !== undefined) return { kind: kind ?? 'computer', program: browser, system };
  const program = leadingProduct(userAgent);
  return { kind: program === undefined ? (kind ?? 'unknown') : 'program', program, system };
};

/** The first product of a non-browser user agent, such as curl in `curl/8.14.1`. */
const leadingProduct = (userAgent: string): string | undefined => {
  const [, product] = /^([A-Za-z][\w .-]{0,39}?)(?:\/|$|\s)/.exec(userAgent) ?? [];
  return product === 'Mozilla' ? undefined : product;
};

export const useDeviceLabel = (): ((device: LabelledDevice) => string) => {
  const t = useTranslations('devices.names');
  return useCallback(
    (device) => {
      if (device.clientName !== null) return device.clientName;
      const { program, system } = parseUserAgent(device.issueUserAgent);
      if (program !== undefined && system !== undefined) return t('browserOnSystem', { browser: program, system });
      return program ?? system ?? t('unknown');
    },
    [t],
  );
};
