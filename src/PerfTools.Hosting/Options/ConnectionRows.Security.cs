using System.Globalization;
using System.Security.Authentication;
using PerfCommon.Transport.Proxy;
using PerfTools.Hosting.CommandLine;

namespace PerfTools.Hosting.Options;

internal sealed partial class ConnectionRows<T>
{
    public void TlsVersions()
    {
        TlsVersion("1.2", SslProtocols.Tls12).As("TLS Protocol", o => _get(o).UsesTls ? Describe(_get(o).Tls.Versions) : "(none)")
            .In(HelpGroup.Connection);
        TlsVersion("1.3", SslProtocols.Tls13).In(HelpGroup.Connection);
    }

    public void Certificates()
    {
        _tls.Text("-cert", "file", "own certificate, PEM", t => t.CertificateFile, (t, v) => t with { CertificateFile = v })
            .As("Certificate File").In(HelpGroup.Connection);
        _tls.Text("-keyfile", "file", "private key of the certificate, PEM", t => t.KeyFile, (t, v) => t with { KeyFile = v }, "-key")
            .As("Key File").In(HelpGroup.Connection);
        _tls.Password("-keypasswd", "text", $"password of the key: itself, @file, or by {TlsOptions.KeyPasswordVariable}",
            t => t.KeyPassword, (t, v) => t with { KeyPassword = v }).As("Key Password", o => _get(o).Tls.KeyPassword.ToString())
            .In(HelpGroup.Connection);
        _tls.Text("-cipher", "list", "cipher suites by their TLS_ names, separated by commas",
            t => t.CipherSuites, (t, v) => t with { CipherSuites = v })
            .As("Cipher Suites", o => _get(o).Tls.CipherSuites ?? "(use default)").In(HelpGroup.Connection);
    }

    /// <summary>Adds the option by which a server requires certificates of its clients.</summary>
    public void ClientTrust() =>
        _tls.Text("-clientca", "file", "demand a certificate of each client, signed by one of these authorities, PEM",
            t => t.ClientAuthorityFile, (t, v) => t with { ClientAuthorityFile = v })
            .As("Client CA").In(HelpGroup.Connection);

    public void Trust()
    {
        _tls.Text("-castore", "file", "additional trusted CA certificates, PEM", t => t.AuthorityFile, (t, v) => t with { AuthorityFile = v })
            .As("CA Store", o => _get(o).Tls.AuthorityFile ?? "(use default)").In(HelpGroup.Connection);
        _tls.Switch("-insecureSkipCertCheck", "accept any certificate of the server",
            t => t.SkipCertificateCheck, (t, v) => t with { SkipCertificateCheck = v })
            .As("Certificate Check", o => _get(o).Tls.SkipCertificateCheck ? "No (insecure)" : "Yes").In(HelpGroup.Connection);
    }

    public void InsideTls() =>
        _connection.Choice("-encryptedConnectionType", "type", "what runs inside TLS: socket or websocket", ConnectionWords.KindsInsideTls,
            c => c.InsideTls, (c, v) => c with { InsideTls = v }, "-encryptedConnType").As("Encrypted Connection Type")
            .In(HelpGroup.Connection);

    /// <summary>Adds the HTTP proxy of a client; the block of test inputs shows it only when it is used.</summary>
    public void Proxy()
    {
        _connection.Switch("-proxy", "connect through an HTTP proxy", c => c.UsesProxy, (c, v) => c with { UsesProxy = v })
            .In(HelpGroup.Connection);
        _proxy.Text("-ph", "host", "host of the proxy", p => p.Host is "" ? null : p.Host, (p, v) => p with { Host = v })
            .As("Proxy Hostname", IfProxy(p => p.Host)).In(HelpGroup.Connection);
        _proxy.OptionalNumber("-pp", "port", "port of the proxy", p => p.Port == 0 ? null : p.Port, (p, v) => p with { Port = v })
            .Within(1, ushort.MaxValue).As("Proxy Port", IfProxy(p => Text(p.Port))).In(HelpGroup.Connection);
        _proxy.Text("-plogin", "name", "login name at the proxy", p => p.UserName, (p, v) => p with { UserName = v })
            .As("Proxy UserName", IfProxy(p => p.UserName ?? "")).In(HelpGroup.Connection);
        _connection.Password("-ppasswd", "text", $"password at the proxy: itself, @file, or by {ConnectionOptions.ProxyPasswordVariable}",
            c => c.ProxyPassword, (c, v) => c with { ProxyPassword = v }).In(HelpGroup.Connection);
    }

    private OptionRow<T> TlsVersion(string number, SslProtocols version) =>
        _tls.Switch($"-spTLSv{number}", $"allow TLS {number}; naming neither version allows both", t => t.NamedVersions.HasFlag(version),
            (t, v) => t with { NamedVersions = v ? t.NamedVersions | version : t.NamedVersions & ~version });

    private static string Describe(SslProtocols versions) => versions switch
    {
        SslProtocols.Tls12 => "TLSv1.2",
        SslProtocols.Tls13 => "TLSv1.3",
        _ => "TLSv1.2, TLSv1.3",
    };

    private Func<T, string?> IfProxy(Func<ProxyOptions, string> read) => o => _get(o).UsesProxy ? read(_get(o).Proxy) : null;

    private static string Text(int port) => port.ToString(CultureInfo.InvariantCulture);
}
