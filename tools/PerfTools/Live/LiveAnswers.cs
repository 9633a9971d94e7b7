using System.Net.Mime;
using System.Security.Cryptography;
using System.Text;
using Microsoft.AspNetCore.Http;

namespace PerfTools.Live;

/// <summary>Answers the requests for a live page: serves the page and its content below the token, to clients that name this host.</summary>
/// <param name="token">The secret part of the address.</param>
/// <param name="content">Creates what the page shows, as a piece of HTML; true when it is the last.</param>
/// <param name="end">Completes when the runs are over.</param>
internal sealed class LiveAnswers(string token, Func<(string Html, bool IsLast)> content, Task end)
{
    private const int TokenBytes = 24;
    private const int NonceBytes = 16;
    private const string Utf8 = "; charset=utf-8";
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(1);

    private readonly byte[] _token = Encoding.ASCII.GetBytes(token);
    private readonly TaskCompletionSource _lastSent = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _waiting;

    /// <summary>True while a client waits for the next content.</summary>
    public bool IsWatched => Volatile.Read(ref _waiting) > 0;

    /// <summary>Completes once a client has received the last content.</summary>
    public Task LastSent => _lastSent.Task;

    public static string CreateToken() => Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(TokenBytes));

    public Task Answer(HttpContext context)
    {
        context.Response.Headers.CacheControl = "no-store";
        context.Response.Headers.XContentTypeOptions = "nosniff";
        context.Response.Headers["Referrer-Policy"] = "no-referrer"; // the address has the token
        context.Response.Headers["Cross-Origin-Resource-Policy"] = "same-origin";
        if (!IsOfThisHost(context))
            return Refuse(context, StatusCodes.Status421MisdirectedRequest);
        return HttpMethods.IsGet(context.Request.Method) ? FindPlace(context.Request.Path.Value) switch
        {
            "" => WritePage(context),
            LivePageText.Now => WriteContent(context),
            LivePageText.Next => WriteNextContent(context),
            _ => Refuse(context, StatusCodes.Status404NotFound),
        } : Refuse(context, StatusCodes.Status404NotFound);
    }

    // A page of another site whose name was rebound to this address sends its own host name.
    private static bool IsOfThisHost(HttpContext context) => context.Request.Host is { HasValue: true, Port: { } port, Host: "127.0.0.1" or "localhost" }
        && port == context.Connection.LocalPort;

    // The path after the token; null without the right one. The comparison takes the same time for every token.
    private string? FindPlace(string? path) => path?.Split('/', 3) is ["", var given, var place]
        && CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(given), _token) ? place : null;

    private Task WritePage(HttpContext context)
    {
        string nonce = Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(NonceBytes));
        context.Response.Headers.ContentSecurityPolicy = LivePageText.PolicyOf(nonce);
        (string html, bool isLast) = content();
        return Write(context, LivePageText.Create(html, nonce, isLast), isLast);
    }

    private Task WriteContent(HttpContext context)
    {
        (string html, bool isLast) = content();
        return Write(context, html, isLast);
    }

    // A page that requests again at once receives the last content as soon as it exists.
    private async Task WriteNextContent(HttpContext context)
    {
        Interlocked.Increment(ref _waiting);
        try
        {
            await Task.WhenAny(end, Task.Delay(Pause, context.RequestAborted));
            await WriteContent(context);
        }
        finally
        {
            Interlocked.Decrement(ref _waiting);
        }
    }

    private async Task Write(HttpContext context, string html, bool isLast)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(html);
        context.Response.ContentType = MediaTypeNames.Text.Html + Utf8;
        context.Response.ContentLength = bytes.Length;
        await context.Response.Body.WriteAsync(bytes, context.RequestAborted);
        await context.Response.CompleteAsync();
        if (isLast)
            _lastSent.TrySetResult();
    }

    private static Task Refuse(HttpContext context, int status)
    {
        context.Response.StatusCode = status;
        return Task.CompletedTask;
    }
}
