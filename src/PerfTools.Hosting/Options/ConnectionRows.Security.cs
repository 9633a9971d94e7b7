using PerfTools.Hosting.CommandLine;
namespace PerfTools.Hosting.Options;

internal sealed partial class ConnectionRows<T>
{
    /// <summary>Adds <c>-spTLSv1.2</c> and <c>-spTLSv1.3</c>.</summary>
    public void TlsVersions()
    {
        TlsSwitch("-spTLSv1.2", "allow TLS 1.2; naming neither version allows both", t => t.Tls12, (t, v) => t with { Tls12 = v })
            .As("TLS Protocol", o => get(o).UsesTls ? get(o).Tls.Versions : "(none)");
        TlsSwitch("-spTLSv1.3", "allow TLS 1.3; naming neither version allows both", t => t.Tls13, (t, v) => t with { Tls13 = v });
    }

    /// <summary>Adds the own certificate and key, trust and cipher suites.</summary>
    public void Certificates()
    {
        TlsText("-cert", "file", "own certificate, PEM", t => t.CertificateFile, (t, v) => t with { CertificateFile = v }).As("Certificate File");
        TlsText("-keyfile", "file", "private key of the certificate, PEM", t => t.KeyFile, (t, v) => t with { KeyFile = v }, "-key").As("Key File");
        table.Password("-keypasswd", "text", $"password of the key: itself, @file, or by {TlsOptions.KeyPasswordVariable}",
            o => get(o).Tls.KeyPassword, (o, v) => WithTls(o, get(o).Tls with { KeyPassword = v }))
            .As("Key Password", o => get(o).Tls.KeyPassword.ToString());
        TlsText("-cipher", "list", "cipher suites, separated by colons", t => t.CipherSuites, (t, v) => t with { CipherSuites = v })
            .As("Cipher Suites", o => get(o).Tls.CipherSuites ?? "(use default)");
    }

    /// <summary>Adds what a client trusts.</summary>
    public void Trust()
    {
        TlsText("-castore", "file", "further authorities to trust, PEM", t => t.AuthorityFile, (t, v) => t with { AuthorityFile = v })
            .As("CA Store", o => get(o).Tls.AuthorityFile ?? "(use default)");
        TlsSwitch("-insecureSkipCertCheck", "accept any certificate of the server",
            t => t.SkipCertificateCheck, (t, v) => t with { SkipCertificateCheck = v })
            .As("Certificate Check", o => get(o).Tls.SkipCertificateCheck ? "No (insecure)" : "Yes");
    }

    /// <summary>Adds <c>-encryptedConnectionType</c>.</summary>
    public void InsideTls() =>
        table.Choice("-encryptedConnectionType", "type", "what runs inside TLS: socket or websocket", KindsInsideTls,
            o => get(o).InsideTls, (o, v) => set(o, get(o) with { InsideTls = v }), "-encryptedConnType").As("Encrypted Connection Type");

    /// <summary>Adds the HTTP proxy of a client; the block of test inputs shows it only when it is used.</summary>
    public void Proxy()
    {
        table.Switch("-proxy", "connect through an HTTP proxy", o => get(o).Proxy.Enabled,
            (o, v) => WithProxy(o, get(o).Proxy with { Enabled = v }));
        ProxyText("-ph", "host", "host of the proxy", p => p.Host, (p, v) => p with { Host = v }).As("Proxy Hostname", IfProxy(p => p.Host));
        ProxyText("-pp", "port", "port of the proxy", p => p.PortText, (p, v) => p with { PortText = v }).As("Proxy Port", IfProxy(p => p.PortText));
        ProxyText("-plogin", "name", "login name at the proxy", p => p.UserName, (p, v) => p with { UserName = v })
            .As("Proxy UserName", IfProxy(p => p.UserName));
        table.Password("-ppasswd", "text", $"password at the proxy: itself, @file, or by {ProxyArguments.PasswordVariable}",
            o => get(o).Proxy.Password, (o, v) => WithProxy(o, get(o).Proxy with { Password = v }));
    }

    private Func<T, string?> IfProxy(Func<ProxyArguments, string> read) => o => get(o).Proxy.Enabled ? read(get(o).Proxy) : null;

    private T WithTls(T options, TlsOptions tls) => set(options, get(options) with { Tls = tls });

    private T WithProxy(T options, ProxyArguments proxy) => set(options, get(options) with { Proxy = proxy });

    private OptionRow<T> TlsText(
        string name, string value, string help, Func<TlsOptions, string?> read, Func<TlsOptions, string, TlsOptions> write,
        params string[] synonyms) =>
        table.Text(name, value, help, o => read(get(o).Tls), (o, v) => WithTls(o, write(get(o).Tls, v)), synonyms);

    private OptionRow<T> TlsSwitch(string name, string help, Func<TlsOptions, bool> read, Func<TlsOptions, bool, TlsOptions> write) =>
        table.Switch(name, help, o => read(get(o).Tls), (o, v) => WithTls(o, write(get(o).Tls, v)));

    private OptionRow<T> ProxyText(
        string name, string value, string help, Func<ProxyArguments, string> read, Func<ProxyArguments, string, ProxyArguments> write) =>
        table.Text(name, value, help, o => read(get(o).Proxy) is { Length: > 0 } text ? text : null, (o, v) => WithProxy(o, write(get(o).Proxy, v)));
}
