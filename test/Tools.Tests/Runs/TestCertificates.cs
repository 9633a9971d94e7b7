using PerfCommon.Transport.Tls;

namespace Tools.Tests.Runs;

/// <summary>
/// One authority and the certificates it signed, created once for all tests: valid <c>server</c> and <c>client</c>, <c>other</c> for another
/// host, <c>expired</c>, and <c>locked</c>, whose key has a password.
/// </summary>
internal static class TestCertificates
{
    private static readonly Lazy<IReadOnlyDictionary<string, string>> Texts = new(Create);

    /// <summary>Writes <c>ca.pem</c>, and a <c>.pem</c> and a <c>.key</c> for each.</summary>
    public static void WriteTo(RunFolder folder)
    {
        foreach ((string name, string text) in Texts.Value)
            folder.Write(name, text);
    }

    private static Dictionary<string, string> Create()
    {
        using TrialCertificates authority = new(DateTimeOffset.UtcNow.AddDays(-10), TimeSpan.FromDays(20));
        Dictionary<string, string> texts = new() { ["ca.pem"] = authority.AuthorityPem };
        void Add(string name, (string CertificatePem, string KeyPem) pem) =>
            (texts[name + ".pem"], texts[name + ".key"]) = pem;

        Add("server", authority.CreateServer(["localhost"]));
        Add("client", authority.CreateClient("client"));
        Add("other", authority.CreateServer(["elsewhere.example"]));
        Add("expired", authority.CreateServer(["localhost"], validUntil: DateTimeOffset.UtcNow.AddDays(-1)));
        Add("locked", authority.CreateServer(["localhost"], keyPassword: "open sesame"));
        return texts;
    }
}
