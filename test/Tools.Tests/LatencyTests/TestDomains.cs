using System.Globalization;

namespace Tools.Tests.LatencyTests;

/// <summary>
/// Domains of LatencyPerf, each taken once: ports and names of shared memory are the machine's, and several runs of the tests may share it.
/// </summary>
internal static class TestDomains
{
    private const int MaxDomain = 200; // those above are named by tests that never open them
    private static readonly List<FileStream> Claims = []; // held to the end of the process
    private static int _last;

    public static int Claim()
    {
        lock (Claims)
        {
            while (!TryClaim(++_last))
                continue;
            return _last;
        }
    }

    private static bool TryClaim(int domain)
    {
        if (domain > MaxDomain)
            throw new InvalidOperationException("more domains are in use than there are");
        string path = Path.Combine(Path.GetTempPath(), string.Create(CultureInfo.InvariantCulture, $"perftools-test-domain-{domain}"));
        try
        {
            Claims.Add(new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None));
            return true;
        }
        catch (IOException)
        {
            return false; // another run of the tests has it
        }
    }
}
