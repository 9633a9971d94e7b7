using System.Globalization;
using System.Net;
using System.Text;

namespace DocsSite;

/// <summary>The frame of every page: title, navigation, style. No script, no address of another site.</summary>
internal static class Layout
{
    private const string Style = """
        :root { color-scheme: light dark; --line: light-dark(#d4d7dc, #3a3f47); --soft: light-dark(#f4f5f7, #1d2126); --link: light-dark(#0b57b0, #7ab4ff); }
        body { margin: 0; font: 16px/1.55 system-ui, sans-serif; display: grid; grid-template-columns: 15rem minmax(0, 1fr); }
        nav { padding: 1.2rem; border-right: 1px solid var(--line); font-size: .88rem; }
        nav h2 { font-size: .8rem; margin: 1.2rem 0 .3rem; border: 0; }
        nav a { display: block; padding: .1rem 0; }
        main { padding: 1.5rem 2.5rem 4rem; max-width: 60rem; }
        a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; }
        h1, h2, h3 { line-height: 1.25; } h2 { border-bottom: 1px solid var(--line); padding-bottom: .2rem; margin-top: 2rem; }
        code { background: var(--soft); padding: .1em .25em; font-size: .88em; } pre { background: var(--soft); padding: .8rem 1rem; overflow-x: auto; }
        pre code { padding: 0; } img { max-width: 100%; } table { border-collapse: collapse; display: block; overflow-x: auto; }
        th, td { border: 1px solid var(--line); padding: .3rem .6rem; text-align: left; vertical-align: top; }
        @media (max-width: 50rem) { body { display: block; } nav { border-right: 0; border-bottom: 1px solid var(--line); } main { padding: 1rem; } }
        """;

    public static string Render(
        string title, IReadOnlyList<(string Section, IReadOnlyList<(string Title, string Url)> Pages)> navigation, string body, string root)
    {
        StringBuilder html = new();
        html.Append(CultureInfo.InvariantCulture, $"<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n");
        html.Append(CultureInfo.InvariantCulture, $"<title>{WebUtility.HtmlEncode(title)} - PerfTools</title>\n<style>\n{Style}\n</style>\n</head>\n<body>\n<nav>\n");
        html.Append(CultureInfo.InvariantCulture, $"<a href=\"{root}index.html\"><strong>PerfTools</strong></a>\n<a href=\"{root}docs/index.html\">All pages</a>\n");
        foreach ((string section, IReadOnlyList<(string Title, string Url)> pages) in navigation)
        {
            html.Append(CultureInfo.InvariantCulture, $"<h2>{WebUtility.HtmlEncode(section)}</h2>\n");
            foreach ((string name, string url) in pages)
                html.Append(CultureInfo.InvariantCulture, $"<a href=\"{url}\">{WebUtility.HtmlEncode(name)}</a>\n");
        }

        return html.Append(CultureInfo.InvariantCulture, $"</nav>\n<main>\n{body}</main>\n</body>\n</html>\n").ToString();
    }
}
