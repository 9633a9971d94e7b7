using System.Net.Mime;
using System.Security.Cryptography;
using System.Text;
using Microsoft.AspNetCore.Http;

namespace PerfTools.Live;

/// <summary>What the server of a live page answers: the page and its content under the token, to those who name this host; else nothing.</summary>
/// <param name="token">What somebody must know.</param>
/// <param name="content">Creates what the page shows, as a piece of HTML; true when it is the last.</param>
/// <param name="end">Completed when the runs are over.</param>
internal sealed class LiveAnswers(string token, Func<(string Html, bool IsLast)> content, Task end)
{
    private const int TokenBytes = 24;
    private const int NonceBytes = 16;
    private const string Utf8 = "; charset=utf-8";
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(1);

    private readonly byte[] _token = Encoding.ASCII.GetBytes(token);
    private readonly TaskCompletionSource _lastTold = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _waiting;

    /// <summary>True while somebody waits for the next content.</summary>
    public bool IsWatched => Volatile.Read(ref _waiting) > 0;

    /// <summary>Completed once somebody has the last content.</summary>
    public Task LastTold => _lastTold.Task;

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

    // A page from elsewhere whose name was turned to this address names itself.
    private static bool IsOfThisHost(HttpContext context) => context.Request.Host is { HasValue: true, Port: { } port, Host: "127.0.0.1" or "localhost" }
        && port == context.Connection.LocalPort;

    // What stands behind the token; null without the right one. The comparison takes as long for every token.
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

    // So a page that asks again at once has the last content as soon as there is one.
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
            _lastTold.TrySetResult();
    }

    private static Task Refuse(HttpContext context, int status)
    {
        context.Response.StatusCode = status;
        return Task.CompletedTask;
    }
}
