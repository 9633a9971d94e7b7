using System.Globalization;

namespace DocsSite;

internal static class Program
{
    /// <summary>Builds the site: <c>DocsSite REPOSITORY OUTPUT</c>. Broken links are printed, and end it with 1.</summary>
    public static int Main(string[] args)
    {
        if (args.Length != 2)
        {
            Console.Error.WriteLine("usage: DocsSite <folder of the repository> <output folder>");
            return 2;
        }

        Site site = Site.Load(args[0]);
        string[] broken = [.. Links.FindBroken(site)];
        foreach (string link in broken)
            Console.Error.WriteLine(link);
        site.Write(args[1]);
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{site.Pages.Count} pages in {args[1]}, {broken.Length} broken links"));
        return broken.Length == 0 ? 0 : 1;
    }
}
