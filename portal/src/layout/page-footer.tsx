/** The end of every page: the links of the application, and the choice of the language. */
import { useTranslations } from 'use-intl';
import { linkNames, useApplication } from '../components/application.tsx';
import { LanguageSwitcher } from '../languages/language-switcher.tsx';

export const PageFooter = ({ className }: { readonly className: string }) => {
  const t = useTranslations('common.links');
  const { links } = useApplication();
  const given = linkNames.flatMap((name) => (links[name] === undefined ? [] : [{ name, href: links[name] }]));
  return (
    <footer className={`flex flex-wrap gap-x-5 text-sm ${className}`}>
      {given.map(({ name, href }) => (
        <a
          key={name}
          href={href}
          rel="noreferrer"
          className="inline-flex min-h-11 items-center text-soft underline-offset-4 hover:text-ink hover:underline"
        >
          {t(name)}
        </a>
      ))}
      <span className="ms-auto">
        <LanguageSwitcher />
      </span>
    </footer>
  );
};
